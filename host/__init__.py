"""The host room: Dify's words in, our values out, and back. Only here and in the doorways is the SDK known."""
