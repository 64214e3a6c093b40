import { agentMode } from '@farlink/contract/choices.ts';
import { useBrand } from '../../kit/chrome/brand.ts';
import { t } from '../../kit/chrome/lang.ts';
import { Tag } from '../../ui/native/tag.tsx';
import { useIdentity } from '../identity.ts';

const coexist = 3;

/** spec §1: 1 front, 2 focus, 4 UY, any other value coexist. */
const modeOf = (mode: number) => agentMode.find((m) => m.id === mode) ?? agentMode.find((m) => m.id === coexist);

export const Operator = () => {
  const { agent_mode } = useIdentity().session;
  const { name } = useBrand();
  const mode = modeOf(agent_mode);
  return (
    <div className="operator">
      <span title={name}>{name}</span>
      {mode && <Tag color={mode.color}>{t(mode.label)}</Tag>}
    </div>
  );
};
