"""What can be done with the selected orders. Begin with `order_actions`, one list for menu, keys and palette."""
