"""Canvas, camera, light, noise and surfaces: what every scene is drawn with. Begin with `canvas`."""
