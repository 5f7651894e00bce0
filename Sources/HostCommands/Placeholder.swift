// Placed by the first file of this target.
