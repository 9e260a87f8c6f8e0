"""A call made by hand: judged before it is sent, sent once, remembered, copied, kept as a file.

Begin with `request_draft`, then `judge_call` and `send_call`. No token and no secret is in anything that is kept here.
"""
