-- What a member may: read, and call the functions that speak for a desk of its own. Nothing else.

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA waybill FROM PUBLIC;
GRANT USAGE ON SCHEMA waybill TO {member};
GRANT SELECT ON waybill.settings, waybill.steps, waybill.desks, waybill.entries, waybill.kept, waybill.log,
    waybill.claims, waybill.presence TO {member};
GRANT EXECUTE ON FUNCTION waybill.join_team, waybill.append, waybill.claim, waybill.give_back, waybill.be_present,
    waybill.retire TO {member};
