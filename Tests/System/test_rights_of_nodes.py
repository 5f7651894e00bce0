"""Every way in which a right ends on one node, against the rooms and kept connections of another one."""
import unittest

import test_rights_over_time
from nodes import Nodes
from postgres import shared
from rights_over_time import Cast


class RightsOfNodesTests(test_rights_over_time.RightsOverTimeTests):
    @classmethod
    def setUpClass(cls):
        nodes = cls.enterClassContext(Nodes(shared().database(), 2))
        cls.server = nodes[1]
        # The hosts and guests of the cast act on the other node.
        cls.cast = Cast(nodes[0])


if __name__ == "__main__":
    unittest.main()
