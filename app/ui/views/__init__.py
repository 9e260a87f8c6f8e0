"""Saved views of a list beside each other: one way for orders and audits to choose, keep, name and order them."""
