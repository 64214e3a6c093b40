/** A MAC in the form of our tables, from any of the usual spellings: `AA-BB-…`, `aa:bb:…`, `aabb.ccdd.eeff`, with an SSID after it. */
export const macOf = (station: string | undefined): string | undefined => {
  const digits = /^[0-9a-f]{2}([-:.]?[0-9a-f]{2}){5}(?![0-9a-f])/i
    .exec(station ?? '')?.[0]
    .replace(/[-:.]/g, '')
    .toLowerCase();
  return digits?.match(/../g)?.join(':');
};
