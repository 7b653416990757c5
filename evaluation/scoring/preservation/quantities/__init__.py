"""Numbers, units and bounds, as the texts write them."""
