export const activityKey = 'farlink-last-activity';

/** Shared by all tabs: whoever works in one of them is not away. */
export const markActivity = () => localStorage.setItem(activityKey, String(Date.now()));
