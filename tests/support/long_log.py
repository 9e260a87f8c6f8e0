"""A long log of a desk in a team's database, made by the server itself: a million entries take it a minute."""

from uuid import UUID, uuid4

from psycopg import sql

from tests.support.postgres import TeamDatabase

_MONTHS = "SELECT waybill.make_month(now() - make_interval(months => n)) FROM generate_series(0, %(months)s) n"
_DESK = """
    INSERT INTO waybill.desks VALUES (%(desk)s, %(role)s, 'Anna', now(), now(), %(count)s, %(count)s, now(), 0, 1)
"""
# Spread evenly over the months up to now. Each order has three entries: queued, attempted, accepted.
_ENTRIES = """
    INSERT INTO waybill.entries
    SELECT %(desk)s, n, now() - make_interval(months => %(months)s) * ((%(count)s - n)::float8 / %(count)s), n, 'write',
           1, %(place)s || CASE n %% 3 WHEN 0 THEN ' accepted ' ELSE ' other ' END || 'R-' || (n + 2) / 3,
           json_build_object(
               'place', %(place)s, 'write', (n + 2) / 3, 'kind', 'submit', 'reference', 'R-' || (n + 2) / 3,
               'state', (ARRAY['accepted', 'queued', 'sending'])[n %% 3 + 1],
               'queued_at', '2026-01-02T03:04:05.678Z', 'changed_at', '2026-01-02T03:04:05.678Z',
               'tried_at', '2026-01-02T03:04:05.678Z',
               'sha256', encode(sha256(((n + 2) / 3)::text::bytea), 'hex'),
               'payload', '{"orderReferenceNumber": "R", "more": "' || repeat('x', 300) || '"}')
    FROM generate_series(1, %(count)s) n
"""


def write_long_log(team: TeamDatabase, place: str, count: int, *, months: int = 0) -> UUID:
    """Append so many entries of a new desk about orders at `place`, over so many months before now; its id."""
    desk = uuid4()
    told = {"desk": desk, "role": next(iter(team.people)), "place": place, "count": count, "months": months}
    with team.server.as_administrator(team.names.database) as c:
        owner = sql.Identifier(team.names.owner)
        c.execute(sql.SQL("SET ROLE {}").format(owner))  # whose the months are, so that it may drop them
        c.execute(_MONTHS, told)
        c.execute("RESET ROLE")
        c.execute(_DESK, told)
        c.execute(_ENTRIES, told)
    return desk
