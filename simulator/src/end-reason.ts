/** Reasons why a session ends. */
export type EndReason = 'user' | 'kick' | 'idle' | 'quota' | 'lost' | 'expired' | 'session';
