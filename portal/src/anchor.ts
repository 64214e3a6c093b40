/** Id of a block in its page. The prefix keeps it apart from the ids of inputs. */
export const anchorOf = (block: string): string => `b-${block}`;
