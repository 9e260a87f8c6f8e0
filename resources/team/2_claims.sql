-- Claims (a desk sends a reference, and no other does meanwhile) and presence (who works on what).
-- Both end by themselves at `until`, by this server's clock, so a desk that dies holds up nobody for long.

CREATE TABLE waybill.claims (
    place     text NOT NULL,                    -- the provider and its client, as the desks name them
    reference text NOT NULL,
    desk      uuid NOT NULL REFERENCES waybill.desks (desk),
    until     timestamptz NOT NULL,
    PRIMARY KEY (place, reference)
);

CREATE TABLE waybill.presence (
    place   text NOT NULL,
    subject text NOT NULL,                      -- an order's reference, an audit's number
    desk    uuid NOT NULL REFERENCES waybill.desks (desk),
    doing   text NOT NULL CHECK (length(doing) BETWEEN 1 AND 40),
    since   timestamptz NOT NULL,
    until   timestamptz NOT NULL,
    PRIMARY KEY (place, subject, desk)
);

-- Takes a claim, or says who has it.
CREATE FUNCTION waybill.claim(in_desk uuid, in_place text, in_reference text, seconds double precision)
RETURNS TABLE (got boolean, person text, seconds_left double precision)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    moment timestamptz;
BEGIN
    PERFORM waybill.require_desk(in_desk);
    FOR tries IN 1..3 LOOP
        moment := clock_timestamp();
        INSERT INTO waybill.claims AS held
        VALUES (in_place, in_reference, in_desk, moment + make_interval(secs => least(greatest(seconds, 1), 3600)))
        ON CONFLICT (place, reference) DO UPDATE SET desk = excluded.desk, until = excluded.until
        WHERE held.until < moment OR held.desk = excluded.desk;
        RETURN QUERY
            SELECT held.desk = in_desk, d.person, extract(epoch FROM held.until - moment)::double precision
            FROM waybill.claims held JOIN waybill.desks d ON d.desk = held.desk
            WHERE held.place = in_place AND held.reference = in_reference;
        -- Nothing is found where the other desk gave its claim back between the two statements.
        EXIT WHEN FOUND;
    END LOOP;
END $$;

CREATE FUNCTION waybill.give_back(in_desk uuid, in_place text, in_reference text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM waybill.require_desk(in_desk);
    DELETE FROM waybill.claims WHERE place = in_place AND reference = in_reference AND desk = in_desk;
    IF FOUND THEN
        PERFORM pg_notify('waybill', 'claims');
    END IF;
END $$;

-- Says that somebody works on something, for so many seconds; 0 ends it.
CREATE FUNCTION waybill.be_present(
    in_desk uuid, in_place text, in_subject text, in_doing text, seconds double precision
) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    moment timestamptz := clock_timestamp();
    news boolean;
BEGIN
    PERFORM waybill.require_desk(in_desk);
    DELETE FROM waybill.presence WHERE until < moment;
    IF seconds <= 0 THEN
        DELETE FROM waybill.presence WHERE place = in_place AND subject = in_subject AND desk = in_desk;
        news := FOUND;
    ELSE
        -- Presence that only goes on is no news: nobody is woken for it.
        news := NOT EXISTS (
            SELECT 1 FROM waybill.presence
            WHERE place = in_place AND subject = in_subject AND desk = in_desk AND doing = in_doing
        );
        INSERT INTO waybill.presence AS held
        VALUES (in_place, in_subject, in_desk, in_doing, moment, moment + make_interval(secs => least(seconds, 3600)))
        ON CONFLICT (place, subject, desk) DO UPDATE SET doing = excluded.doing, until = excluded.until;
    END IF;
    IF news THEN
        PERFORM pg_notify('waybill', 'presence');
    END IF;
END $$;
