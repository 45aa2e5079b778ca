"""All layout: a result goes in, Markdown or JSON comes out."""
