import type { Text } from '@farlink/contract/kit/text.ts';
import { useState } from 'react';
import { t } from '../../kit/chrome/lang.ts';

const refresh: Text = ['看不清？换一张验证码', 'Hard to read? Get a new captcha'];
const failed: Text = ['点击重试', 'Try again'];

export const Captcha = ({ drawn, onRefresh }: { drawn: number; onRefresh: () => void }) => {
  const [broken, setBroken] = useState<number>();
  return (
    <button type="button" className="login-captcha" title={t(refresh)} aria-label={t(refresh)} onClick={onRefresh}>
      {broken === drawn ? (
        <span>{t(failed)}</span>
      ) : (
        <img key={drawn} src={`/agt/v1/captcha?t=${drawn}`} alt="" width={112} height={38} onError={() => setBroken(drawn)} />
      )}
    </button>
  );
};
