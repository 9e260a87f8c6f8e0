"""The way of every write: the outbox, the send queue, the last look, and the settling of doubts.

    outbox               queue a write, drain the queue, take a write back
    send_queue           what leaves next, on several lanes, and when the queue stops
    last_look            may this write go now, must it wait, or does a person decide
    send_write           one write: last look, bytes on the wire, outcome into the journal
    settling             settles doubts and confirms accepted writes
    provider_evidence, list_evidence    what the provider shows about a write
    resend               a new order in doubt is sent again once
    verdict              what sending an order would do, said before it is sent

Begin with `outbox`. The rules are in app/README.md, "Rules one would otherwise have to guess".
"""
