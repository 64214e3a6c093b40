/** Command ids are twelve hexadecimal digits; pages and lists use them as a number. */
export const idOf = (command: string): number => Number.parseInt(command, 16);
export const commandOf = (id: number): string => id.toString(16).padStart(12, '0');
