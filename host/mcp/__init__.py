"""The tools for MCP clients: JSON-RPC 2.0 over stateless streamable HTTP, answered with JSON."""
