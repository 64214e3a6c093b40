/** A command is known by twelve hexadecimal digits; pages and lists name it by the number that they are. */
export const idOf = (command: string): number => Number.parseInt(command, 16);
export const commandOf = (id: number): string => id.toString(16).padStart(12, '0');
