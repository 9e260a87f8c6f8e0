"""Delivery slots of an order: found by day and time, and reserved. Begin with `slots_dialog`."""
