/** Whether the hand is a finger: then no keys are spoken of. Some phones claim to hover, so their width counts too. */

export const touch = matchMedia("(pointer: coarse), (max-width: 560px)");
