import type { Text } from '@farlink/contract/kit/text.ts';
import { t } from '../../kit/chrome/lang.ts';
import { useIdentity } from '../identity.ts';

const acting: Text = [
  '{0} 正在以 {1} 的身份操作，所有操作均会同时记录双方身份',
  '{0} is acting as {1}. All operations are logged with both identities.',
];

export const ActingBanner = () => {
  const { session, profile } = useIdentity();
  if (profile.acted_by === null) return null;
  return (
    <p className="acting" role="note">
      {t(acting, profile.acted_by, `${session.agent_name} / ${profile.username}`)}
    </p>
  );
};
