export const activityKey = 'farlink-last-activity';

/** Shared by all tabs: activity in one tab counts for all. */
export const markActivity = () => localStorage.setItem(activityKey, String(Date.now()));
