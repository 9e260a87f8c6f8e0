"""The words of requests: what became of one."""

from app.translation import translate

ACCEPTED_SILENTLY = translate("The provider accepted it without saying more.")
REFUSED_SILENTLY = translate("The provider answered that it did not do this.")
SENDING_FAILED = translate("Waybill failed while this was being sent. It is not known whether it arrived.")
DECIDED_ARRIVED = translate("Marked as arrived on this desk. The provider has not confirmed it.")
DECIDED_NOT_ARRIVED = translate("Marked as not arrived on this desk. The provider has not confirmed it.")


def accepted(answer: str) -> str:
    """The provider's answer, in short."""
    return translate("The provider accepted it: {answer}", answer=answer)


def refused(answer: str) -> str:
    """The provider answered with success, and its words say that it did nothing."""
    return translate("The provider did not do this: {answer}", answer=answer)


def not_recorded(outcome: str, error: str) -> str:
    """The outcome is known and could not be stored; both are sentences."""
    return translate(
        "{outcome} That could not be stored: {error} After the next start it shows as in doubt.",
        outcome=outcome,
        error=error,
    )


TEMPLATE_NEEDS_NAME = translate("A template needs a name.")


def template_name_too_long(most: int, length: int) -> str:
    """A name that fits no list."""
    return translate("A name has at most {most} characters; this one has {length}.", most=most, length=length)


def too_many_templates(most: int) -> str:
    """No further template is kept."""
    return translate("There are {most} templates already. Delete one first.", most=most)
