// Placed
