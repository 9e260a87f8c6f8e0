"""One function for each operation of services.md. Begin reading at `registry`, which names them all."""
