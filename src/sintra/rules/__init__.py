"""The one engine: the rules over a flat state, compiled. It knows nobody but `components`."""
