"""Why something needs somebody: the rules as data, the test of one order, and the reason in words.

Begin with `reason_rules`. Imports the store's conditions and `desk.connections` alone, since `desk.filter` (`why:`),
`desk.today` and the pages of orders and of today all import this.
"""
