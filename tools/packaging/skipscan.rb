# The formula of a tap: brew install OWNER/tap/skipscan. `make release-files` fills in VERSION, REPOSITORY and both checksums.
class Skipscan < Formula
  desc "Distinct partition keys of a DynamoDB table for a fraction of a full scan's price"
  homepage "REPOSITORY"
  url "REPOSITORY/releases/download/vVERSION/skipscan-VERSION-py3-none-any.whl"
  sha256 "WHEEL_SHA256"
  license "Apache-2.0"

  depends_on "python@3.14"

  resource "lock" do
    url "REPOSITORY/releases/download/vVERSION/requirements-command.txt"
    sha256 "LOCK_SHA256"
  end

  def install
    python = Formula["python@3.14"].opt_bin/"python3.14"
    system python, "-m", "venv", libexec
    pip = [libexec/"bin/python", "-m", "pip", "--disable-pip-version-check", "install"]
    # Wheels only, each of them one that the lock names by its hash.
    resource("lock").stage do
      system(*pip, "--only-binary=:all:", "--require-hashes", "--requirement", "requirements-command.txt")
    end
    system(*pip, "--no-deps", Dir["skipscan-*.whl"].first)
    bin.install_symlink libexec/"bin/skipscan"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/skipscan --version")
  end
end
