"""The only writers. Each function is one transaction and announces itself after its commit."""
