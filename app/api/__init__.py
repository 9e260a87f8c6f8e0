"""How the provider's services are called: HTTP lives here and nowhere else. No Qt, no disk."""
