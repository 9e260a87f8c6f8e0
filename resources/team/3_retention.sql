-- Months that are older than the team's setting are dropped whole. What is still needed of them stays in `kept`, so that
-- a desk that joins later knows the latest state of everything.
--
-- One month in each call: a desk that asks for it waits for no other. After the team's setting was made shorter there
-- are many months to drop, and together they would take longer than a desk waits for one statement.

CREATE FUNCTION waybill.retire() RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    month text;
    oldest text;
BEGIN
    SELECT 'entries_' || to_char(date_trunc('month', now() AT TIME ZONE 'UTC') - make_interval(months => keep_months),
                                 'YYYY_MM')
    INTO oldest FROM waybill.settings;
    -- One at a time; a second desk that comes meanwhile has nothing to do.
    IF NOT pg_try_advisory_xact_lock(hashtext('waybill.retire')) THEN
        RETURN 0;
    END IF;
    SELECT c.relname INTO month FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'waybill.entries'::regclass AND c.relname < oldest ORDER BY c.relname LIMIT 1;
    IF month IS NULL THEN
        RETURN 0;
    END IF;
    EXECUTE format(
        'INSERT INTO waybill.kept AS k
         SELECT DISTINCT ON (kind, subject) desk, seq, at, clock, kind, version, subject, body FROM waybill.%I
         ORDER BY kind, subject, clock DESC, desk DESC, seq DESC
         ON CONFLICT (kind, subject) DO UPDATE SET desk = excluded.desk, seq = excluded.seq, at = excluded.at,
             clock = excluded.clock, version = excluded.version, body = excluded.body
         WHERE (k.clock, k.desk, k.seq) < (excluded.clock, excluded.desk, excluded.seq)',
        month
    );
    EXECUTE format('DROP TABLE waybill.%I', month);
    RETURN 1;
END $$;
