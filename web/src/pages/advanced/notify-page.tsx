import { mailServer, mailServerCalls } from '@farlink/contract/advanced/mail-server.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { mayOpen } from '@farlink/contract/rights.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { call } from '../../kit/call.ts';
import { t } from '../../kit/lang.ts';
import { ResourcePage } from '../../kit/resource-page.tsx';
import { useMe } from '../../kit/session.ts';
import type { ListPage } from '../../kit/use-list.ts';
import { Callout } from '../../ui/callout.tsx';
import './advanced.css';

const texts = {
  none: [
    '本VNO及上级VNO均未启用邮件服务器，通知邮件暂时无法发送。',
    'No mail server is enabled for this VNO or a VNO above it. Notification mails cannot be sent.',
  ],
  set: ['设置邮件服务器', 'Set up the mail server'],
} as const satisfies Record<string, Text>;

/** Rules that nobody would hear of are pointed out, with the way to where that is mended. */
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
  <div className="notify-page">
    <MailWarning />
    <ResourcePage page={page} />
  </div>
);
