/** Reasons why a session ends. */
export type Leaving = 'user' | 'kick' | 'idle' | 'quota' | 'lost' | 'expired' | 'session';
