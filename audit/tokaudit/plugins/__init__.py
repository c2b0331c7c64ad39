"""How everything plugs in: checks, needs, formats, adapters and reports, ours as any other's."""
