"""What is said about the team while a desk works."""

from app.translation import translate

ENDED = "ended"  # not shown: what a desk did before it stopped
WAITS_FOR_DATABASE = translate("Waits for the team's database, so that no two desks send this order at the same time.")
CLAIMED = translate("Waits. Another desk is sending this order.")


def claimed_by(person: str) -> str:
    """Another desk has the claim."""
    return translate("Waits. {person} is sending this order.", person=person)
