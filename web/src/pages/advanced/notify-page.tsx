import { mailServer, mailServerCalls } from '@farlink/contract/advanced/mail-server.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { mayOpen } from '@farlink/contract/rights.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { t } from '../../kit/chrome/lang.ts';
import { ResourcePage } from '../../kit/list/resource-page.tsx';
import type { ListPage } from '../../kit/list/use-list.ts';
import { call } from '../../kit/net/call.ts';
import { useMe } from '../../kit/net/session.ts';
import { Callout } from '../../ui/native/callout.tsx';
import './advanced.css';

const texts = {
  none: [
    '本VNO及上级VNO均未启用邮件服务器，通知邮件暂时无法发送。',
    'No mail server is enabled for this VNO or a VNO above it. Notification mails cannot be sent.',
  ],
  set: ['设置邮件服务器', 'Set up the mail server'],
} as const satisfies Record<string, Text>;

/** Warns that rules have no effect without a mail server, with a link to its page. */
const MailWarning = () => {
  const me = useMe();
  const { data } = useQuery({
    queryKey: ['mail-ready'],
    queryFn: () => call(mailServerCalls.ready, {}, { silent: true, overlay: false }),
    retry: false,
  });
  if (data?.ready !== false) return null;
  return (
    <Callout tone="warning">
      {t(texts.none)}
      {mayOpen(mailServer, me) && <Link to={mailServer.route}>{t(texts.set)}</Link>}
    </Callout>
  );
};

export const NotifyPage = ({ page }: { readonly page: ListPage }) => (
  <div className="above-list notify-page">
    <MailWarning />
    <ResourcePage page={page} />
  </div>
);
