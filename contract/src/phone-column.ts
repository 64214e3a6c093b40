/** All lists show phone numbers alike, and never cut. */
export const phoneColumn = { mono: true, whole: true, width: 140 } as const;
