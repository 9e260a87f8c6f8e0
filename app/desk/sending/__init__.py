"""The way of every write: the outbox, the send queue, the last look, and the settling of doubts.

    outbox               queue a write, read writes, decide about a write
    send_queue           which write leaves next, how many at a time, and when the queue stops; the claim on it
    last_look            may this write go now, must it wait, or does a person decide
    send_write           one write: the decision, the bytes on the wire, the outcome into the journal
    settling             settles writes in doubt and confirms accepted writes
    evidence             what the provider shows about a write
    resend               which new orders in doubt are resent, once
    verdict              what sending an order would do, told before it is sent
    order_status, batch  look-ups of one order, and of several
    outstanding_orders   the writes that stand among the orders of the table
    payload_differences  compares payloads with each other and with the provider's order
    sending_words        all sentences

Begin with `outbox`. The rules are in app/README.md, "Rules one would otherwise have to guess".
"""
