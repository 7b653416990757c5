"""Two arms of finished runs, request by request."""
