"""What each operation of the contract does, in words, and the names of groups."""

from app.translation import translate

# By the name in `contract/operations`: what a call does, as a person would order it. Stands in the list of operations,
# and in the question before a call that writes.
PURPOSES: dict[str, str] = {
    "order_submit": translate("Submit an order"),
    "order_cancel": translate("Cancel an order"),
    "order_status": translate("Look up the status of an order"),
    "order_test": translate("Test access to orders"),
    "quote_submit": translate("Submit a quote"),
    "quote_test": translate("Test access to quotes"),
    "truck_submit": translate("Submit a truck"),
    "facilities": translate("List facilities"),
    "import_orders": translate("Import orders"),
    "cross_reference": translate("Look up cross references"),
    "stock_item_config": translate("Look up stock items"),
    "partner_a_order_event": translate("Report an order event for partner A"),
    "partner_a_cancel": translate("Cancel an order of partner A"),
    "partner_a_get_slot": translate("Look up delivery slots of partner A"),
    "partner_a_reserve_slot": translate("Reserve a delivery slot of partner A"),
    "partner_b_order_event": translate("Report an order event for partner B"),
    "partner_b_get_slot": translate("Look up delivery slots of partner B"),
    "partner_b_order_submit": translate("Submit an order of partner B"),
    "partner_c_open_orders": translate("List open orders of partner C"),
    "partner_c_facilities": translate("List facilities with open orders of partner C"),
    "third_party_logistics": translate("Hand a record to third-party logistics"),
    "third_party_logistics_health": translate("Test third-party logistics"),
    "order": translate("Read one order"),
    "open_orders": translate("List open orders"),
    "completed_orders": translate("List completed orders"),
    "audits": translate("List audits"),
    "audit": translate("Read one audit"),
    "audit_image": translate("Fetch a photo of an audit"),
    "overage_by_path": translate("List the overage of a load, by path"),
    "overage": translate("List the overage of a load"),
}
STATUS_WORDS: dict[int, str] = {
    200: translate("Success"),
    202: translate("Accepted"),
    400: translate("Bad request"),
    401: translate("No valid token"),
    403: translate("Not allowed"),
    404: translate("Not found"),
    500: translate("Server error"),
}
