-- The log of a team, and who writes it. Applied by `waybill --team-setup` as the role {owner}, which nobody logs in as.
--
-- A person has a role that is a member of {member}, and a desk for each computer. All that a desk may do is in the
-- functions; no member may insert, change or delete a row of any table. The functions run with the rights of {owner} and
-- ask `session_user`, which stays the person's own role.

CREATE TABLE waybill.steps (
    step       integer PRIMARY KEY,             -- the files of this folder that were applied
    applied_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE waybill.settings (
    one         boolean PRIMARY KEY DEFAULT true CHECK (one),
    payloads    boolean NOT NULL DEFAULT true,  -- whether orders are copied, with their names and addresses
    keep_months integer NOT NULL DEFAULT 36 CHECK (keep_months > 0)
);
INSERT INTO waybill.settings DEFAULT VALUES;

CREATE TABLE waybill.desks (
    desk       uuid PRIMARY KEY,
    role       name NOT NULL,
    person     text NOT NULL CHECK (length(person) BETWEEN 1 AND 100),
    joined_at  timestamptz NOT NULL,
    seen_at    timestamptz NOT NULL,
    last_seq   bigint NOT NULL,                 -- of its last entry
    last_clock bigint NOT NULL,                 -- the entry's `clock`
    last_at    timestamptz NOT NULL,            -- when it came
    ahead_ms   bigint NOT NULL,                 -- how far the desk's clock is ahead of this server's
    error_ms   bigint NOT NULL                  -- how wrong `ahead_ms` may be
);

-- `at` is this server's time and never goes back for a desk. It is in the key because the partitions are by month; that
-- (desk, seq) is there once is held by `append`, the only way in.
CREATE TABLE waybill.entries (
    desk    uuid NOT NULL,
    seq     bigint NOT NULL CHECK (seq > 0),
    at      timestamptz NOT NULL,
    clock   bigint NOT NULL,                    -- the hybrid logical clock of the desk
    kind    text NOT NULL CHECK (length(kind) BETWEEN 1 AND 100),
    version integer NOT NULL,
    subject text NOT NULL CHECK (length(subject) <= 2000),
    body    json NOT NULL CHECK (octet_length(body::text) <= 8388608),
    PRIMARY KEY (desk, seq, at)
) PARTITION BY RANGE (at);

-- What is left of months that were dropped: of each kind the latest entry about each subject.
CREATE TABLE waybill.kept (
    desk    uuid NOT NULL,
    seq     bigint NOT NULL,
    at      timestamptz NOT NULL,
    clock   bigint NOT NULL,
    kind    text NOT NULL,
    version integer NOT NULL,
    subject text NOT NULL,
    body    json NOT NULL,
    PRIMARY KEY (kind, subject)
);
CREATE INDEX kept_by_desk ON waybill.kept (desk, seq);

CREATE VIEW waybill.log AS
    SELECT desk, seq, at, clock, kind, version, subject, body FROM waybill.kept
    UNION ALL
    SELECT desk, seq, at, clock, kind, version, subject, body FROM waybill.entries;

-- Also for the owner, so that a mistake in a function cannot do what no member may. Only who is above all rows (a
-- superuser, who restores a backup) is not bound. There is no policy for UPDATE and DELETE: nobody may.
ALTER TABLE waybill.entries ENABLE ROW LEVEL SECURITY;
ALTER TABLE waybill.entries FORCE ROW LEVEL SECURITY;
CREATE POLICY entries_read ON waybill.entries FOR SELECT USING (true);
CREATE POLICY entries_append ON waybill.entries FOR INSERT WITH CHECK (
    EXISTS (SELECT 1 FROM waybill.desks WHERE desks.desk = entries.desk AND desks.role = session_user)
);

CREATE FUNCTION waybill.require_desk(in_desk uuid) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM 1 FROM waybill.desks WHERE desk = in_desk AND role = session_user;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'this desk is not of %', session_user USING ERRCODE = 'insufficient_privilege';
    END IF;
END $$;

-- Says who works at a desk; the first one to say so owns the desk. Returns the end of its log.
CREATE FUNCTION waybill.join_team(in_desk uuid, in_person text, in_ahead_ms bigint, in_error_ms bigint)
RETURNS TABLE (last_seq bigint, last_clock bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF EXISTS (
        SELECT 1 FROM waybill.desks d WHERE lower(d.person) = lower(in_person) AND d.role <> session_user
    ) THEN
        RAISE EXCEPTION 'another person works under this name' USING ERRCODE = 'WB002';
    END IF;
    INSERT INTO waybill.desks VALUES (
        in_desk, session_user, in_person, now(), now(), 0, 0, now(), in_ahead_ms, in_error_ms
    ) ON CONFLICT DO NOTHING;
    PERFORM waybill.require_desk(in_desk);
    UPDATE waybill.desks d SET person = in_person, seen_at = now(), ahead_ms = in_ahead_ms, error_ms = in_error_ms
    WHERE d.desk = in_desk;
    PERFORM pg_notify('waybill', 'desks');
    RETURN QUERY SELECT d.last_seq, d.last_clock FROM waybill.desks d WHERE d.desk = in_desk;
END $$;

CREATE FUNCTION waybill.make_month(moment timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    month timestamp := date_trunc('month', moment AT TIME ZONE 'UTC');
    name text := 'entries_' || to_char(month, 'YYYY_MM');
BEGIN
    IF to_regclass('waybill.' || name) IS NOT NULL THEN
        RETURN;
    END IF;
    -- Two desks may come with the first entry of a month at the same time. After the wait a query asks the catalogue:
    -- `to_regclass` would answer from what this connection knew before.
    PERFORM pg_advisory_xact_lock(hashtext('waybill.make_month'));
    IF NOT EXISTS (
        SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = 'waybill' AND c.relname = name
    ) THEN
        EXECUTE format(
            'CREATE TABLE waybill.%I PARTITION OF waybill.entries FOR VALUES FROM (%L) TO (%L)',
            name, month AT TIME ZONE 'UTC', (month + interval '1 month') AT TIME ZONE 'UTC'
        );
        EXECUTE format('ALTER TABLE waybill.%I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE waybill.%I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY month_read ON waybill.%I FOR SELECT USING (true)', name);
    END IF;
END $$;

-- Appends the entries `first`, `first` + 1, … of a desk, and returns the number of its last one. Entries that are there
-- already are left out, so a call may be repeated. A gap is refused.
CREATE FUNCTION waybill.append(
    in_desk uuid, first bigint, clocks bigint[], kinds text[], versions integer[], subjects text[], bodies text[]
) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    last bigint;
    moment timestamptz;
    added bigint;
BEGIN
    PERFORM waybill.require_desk(in_desk);
    -- The lock comes before the moment is read: so `at` never goes back, and nobody sees entry 8 before entry 7.
    SELECT d.last_seq, d.last_at INTO last, moment FROM waybill.desks d WHERE d.desk = in_desk FOR UPDATE;
    IF first < 1 OR first > last + 1 THEN
        RAISE EXCEPTION 'entry % does not follow entry %', first, last USING ERRCODE = 'WB001';
    END IF;
    moment := greatest(moment, clock_timestamp());
    PERFORM waybill.make_month(moment);
    INSERT INTO waybill.entries
    SELECT in_desk, first + n - 1, moment, new.clock, new.kind, new.version, new.subject, new.body::json
    FROM unnest(clocks, kinds, versions, subjects, bodies) WITH ORDINALITY
        AS new (clock, kind, version, subject, body, n)
    WHERE first + n - 1 > last ORDER BY n;
    GET DIAGNOSTICS added = ROW_COUNT;
    IF added > 0 THEN
        UPDATE waybill.desks SET last_seq = last + added, last_clock = clocks[cardinality(clocks)], last_at = moment,
            seen_at = now()
        WHERE desk = in_desk;
        PERFORM pg_notify('waybill', in_desk::text);
    END IF;
    RETURN last + added;
END $$;
