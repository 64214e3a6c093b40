import type { Text } from '@farlink/contract/kit/text.ts';
import { infoSetup } from '@farlink/contract/market/info-setup.ts';
import { mayCall } from '@farlink/contract/rights.ts';
import type { PageActions } from '../../kit/actions/use-page-actions.tsx';
import { t } from '../../kit/chrome/lang.ts';
import { useMe } from '../../kit/net/session.ts';
import { Button } from '../../ui/native/button.tsx';

const texts = {
  inherited: ['未上传，当前使用上级VNO的Logo。', 'Not set. The logo of the VNO above is used.'],
  none: ['未上传，当前使用默认图标。', 'Not set. The default mark is used.'],
  size: ['JPG或PNG，小于2MB，建议尺寸190x60。', 'JPG or PNG, under 2 MB, recommended 190x60.'],
} as const satisfies Record<string, Text>;

interface LogoCardProps {
  readonly title: string;
  readonly hint: string;
  /** Of the VNO, as alternative text. */
  readonly name: string;
  readonly own: string | null;
  readonly inherited: string | null;
  /** Actions of the page: upload and remove. */
  readonly actions: readonly ['agentLogo', 'removeAgentLogo'] | readonly ['deviceLogo', 'removeDeviceLogo'];
  readonly act: PageActions['act'];
}

export const LogoCard = ({ title, hint, name, own, inherited, actions: [upload, remove], act }: LogoCardProps) => {
  const me = useMe();
  const shown = own ?? inherited;
  const { [upload]: uploading, [remove]: removing } = infoSetup.actions;
  return (
    <section className="card" aria-label={title}>
      <h2>{title}</h2>
      <p className="muted">{hint}</p>
      <div className="logo-plate">
        {shown === null ? <span className="muted">{name}</span> : <img src={shown} alt={name} width={190} height={60} />}
      </div>
      {own === null && <p className="muted">{t(inherited === null ? texts.none : texts.inherited)}</p>}
      <p className="muted">{t(texts.size)}</p>
      <div className="row wrap">
        <Button disabled={!mayCall(uploading.call, me)} onClick={() => act(upload)}>
          {t(uploading.label)}
        </Button>
        {own !== null && (
          <Button danger disabled={!mayCall(removing.call, me)} onClick={() => act(remove)}>
            {t(removing.label)}
          </Button>
        )}
      </div>
    </section>
  );
};
