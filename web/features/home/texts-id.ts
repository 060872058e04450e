// Where the served home page keeps the texts that it was drawn with.

/** The id of the element. */
export const TEXTS_ID = "home-texts";
