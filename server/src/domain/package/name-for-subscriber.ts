const separators = /^[\s·・:：|/–—-]+/;

/** Operators begin names of packages with that of their VNO. A subscriber knows the provider and needs the rest. */
export const nameForSubscriber = (name: string, vno: string): string => {
  for (const prefix of [vno, vno.split(' ')[0] ?? vno]) {
    const rest = name.slice(prefix.length);
    const shown = rest.replace(separators, '');
    if (prefix !== '' && name.startsWith(prefix) && shown !== rest && shown !== '') return shown;
  }
  return name;
};
