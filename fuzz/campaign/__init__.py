"""The parts of framehound-fuzz; each module begins with what it is for. Standard library only."""
