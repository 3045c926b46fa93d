"""Values and items with placeholders for an item's attributes."""
