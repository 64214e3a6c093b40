import { Dialog } from './dialog.tsx';
import { Picture } from './picture.tsx';

interface PictureDialogProps {
  readonly path: string;
  readonly label: string;
  readonly onClose: () => void;
}

const PictureDialog = ({ path, label, onClose }: PictureDialogProps) => (
  <Dialog open title={label} width={640} onClose={onClose}>
    <div className="picture-frame">
      <Picture path={path} label={label} />
    </div>
  </Dialog>
);
export default PictureDialog;
