/** A percent sign that was not escaped is kept. */
const decoded = (text: string) => {
  try {
    return decodeURIComponent(text) || undefined;
  } catch {
    return text;
  }
};

/** Parts of BROKER_URL. */
export const brokerAddress = (address: string) => {
  const { protocol, hostname, port, username, password } = new URL(address);
  const tls = protocol === 'mqtts:';
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (tls ? 8883 : 1883) : Number(port),
    tls,
    username: decoded(username),
    password: decoded(password),
  };
};
