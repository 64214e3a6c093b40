import { createServer, type Socket } from 'node:net';

export interface SunkMail {
  readonly to: string;
  readonly source: string;
}

/** A minimal SMTP server: one login, and it stores all mails. */
export const openSink = async (user: string, password: string) => {
  const mails: SunkMail[] = [];
  const expectedLogin = Buffer.from(`\0${user}\0${password}`).toString('base64');

  const serveClient = (socket: Socket) => {
    let [to, buffer, source]: [string, string, string | undefined] = ['', '', undefined];
    const send = (line: string) => socket.write(`${line}\r\n`);
    const receive = (line: string) => {
      if (source !== undefined) {
        if (line !== '.') {
          source += `${line}\n`;
          return;
        }
        mails.push({ to, source });
        source = undefined;
        return send('250 2.0.0 Ok: queued as SINK1');
      }
      if (line.startsWith('EHLO')) return socket.write('250-sink\r\n250 AUTH PLAIN\r\n');
      if (line.startsWith('AUTH PLAIN')) return send(line.endsWith(expectedLogin) ? '235 2.7.0 ok' : '535 5.7.8 authentication failed');
      if (line.startsWith('RCPT TO:')) to = line.slice(9, line.indexOf('>'));
      if (line === 'DATA') {
        source = '';
        return send('354 go on');
      }
      send(line === 'QUIT' ? '221 bye' : '250 ok');
    };
    send('220 sink ESMTP');
    socket.setEncoding('utf8').on('data', (text) => {
      const lines = `${buffer}${text}`.split('\r\n');
      buffer = lines.pop() ?? '';
      for (const line of lines) receive(line);
    });
    socket.on('error', () => {});
  };

  const server = createServer(serveClient);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const address = server.address();
  return { port: typeof address === 'object' && address ? address.port : 0, mails, close: () => server.close() };
};
