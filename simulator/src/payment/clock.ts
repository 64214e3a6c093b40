/** Epoch seconds; tests set the time. */
export interface Clock {
  now(): number;
}

const offset = 8 * 3600;

/** Both providers use UTC+8. */
export const chinaTime = (epoch: number): string => new Date((epoch + offset) * 1000).toISOString().slice(0, 19).replace('T', ' ');

/** NaN if the text is not a time. */
export const fromChinaTime = (text: string): number => Date.parse(`${text.replace(' ', 'T')}+08:00`) / 1000;

export const rfc3339 = (epoch: number): string => `${chinaTime(epoch).replace(' ', 'T')}+08:00`;
